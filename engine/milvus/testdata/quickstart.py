import sys

from pymilvus import MilvusClient

client = MilvusClient(sys.argv[1])
client.create_collection(sys.argv[2], dimension=4)
client.insert(sys.argv[2], [
    {"id": 1, "vector": [1, 0, 0, 0.1], "text": "A dog on a lawn", "topic": "animals", "year": 2019},
    {"id": 2, "vector": [0, 3, 0, 0.1], "text": "A ball on a lawn", "topic": "toys", "year": 2021},
    {"id": 3, "vector": [0, 0, 1, 0.1], "text": "A dog with a ball", "topic": "animals", "year": 2024},
])
