"""Simulates a screening with the default model of ASReview 2.

Arguments are a CSV file and the rows of the first records. Prints the rows in the order of reading.
"""
import sys
import pandas
from asreview.learner import ActiveLearningCycle
from asreview.models.models import get_ai_config
from asreview.models.stoppers import LastRelevant
from asreview.simulation.simulate import Simulate
data = pandas.read_csv(sys.argv[1], keep_default_na=False)
cycle = ActiveLearningCycle.from_meta(get_ai_config()["value"])
run = Simulate(data, data["included"], [cycle], stopper=LastRelevant(), print_progress=False)
run.label([int(row) for row in sys.argv[2:]])
run.review()
print(" ".join(str(row) for row in run._results["record_id"]))
