# Reads lines "package import" of this module and writes a graph for dot, with dependencies
# below the packages that need them. Encoders and the parts of the evaluation are one node
# each; helpers that know nothing about the rest are left out.
function node(path) {
	sub("^github.com/nsfl-go/nsfl/?", "", path)
	if (path == "") return "nsfl"
	if (path ~ /^encoder\//) return "encoder/…"
	if (path ~ /^eval\//) return "eval/…"
	if (path ~ /^engine\/weaviate\/wire/) return "engine/weaviate"
	if (path ~ /^index\/internal/) return "index"
	if (path == "query/nl") return "query"
	return path
}
BEGIN { print "digraph imports {\n\trankdir=TB; nodesep=0.25; ranksep=0.45\n\tnode [shape=box style=\"rounded,filled\" fillcolor=\"#f4f6fa\" color=\"#8a94a6\" fontname=\"Helvetica\" fontsize=11]\n\tedge [color=\"#8a94a6\" arrowsize=0.6]" }
$2 ~ /^github.com\/nsfl-go\/nsfl/ && ($1 $2) !~ /internal\/(frozen|bertonnx|lockfile|retry|webclient|workers|progress|words|durable|termsafe|jsonlimit|descriptors|guardpage|enum)|test( |$)|bench|demo|server\/ui/ {
	from = node($1); to = node($2)
	if (from != to && !seen[from, to]++) printf "\t\"%s\" -> \"%s\"\n", from, to
}
END { print "\t\"engine\" [fillcolor=\"#dce8ff\"]\n\t\"index\" [fillcolor=\"#e6f4e6\"]\n}" }
