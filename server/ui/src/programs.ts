// The current search as a shell command, a Go program and a Python program.
import type { SearchRequest } from "./api";
import { request } from "./search";
import { start, write, type State } from "./url";

export interface Place {
  origin: string; // of the server
  keys: boolean; // it needs one, which is in $NSFL_KEY
}

// asked returns the body of the request, without defaults.
export function asked(s: State): Partial<SearchRequest> {
  const { columns: _, ...all } = request(s);
  const usual = request(start) as unknown as Record<string, unknown>;
  const differs = Object.entries(all).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name]));
  return { query: s.query, nl: s.nl, k: s.k, ...Object.fromEntries(differs) };
}

const address = (s: State, p: Place) => `${p.origin}/v1/collections/${encodeURIComponent(s.collection)}/search`;

export const link = (s: State, p: Place) => p.origin + "/" + write(s);

export function curl(s: State, p: Place): string {
  const quote = (text: string) => "'" + text.replaceAll("'", "'\\''") + "'";
  return [
    `curl ${quote(address(s, p))}`,
    ...(p.keys ? ['-H "Authorization: Bearer $NSFL_KEY"'] : []),
    "-H 'Content-Type: application/json'",
    "-d " + quote(JSON.stringify(asked(s))),
  ].join(" \\\n  ") + "\n";
}

export function python(s: State, p: Place): string {
  return `import json
${p.keys ? "import os\n" : ""}import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(address(s, p))},
    json.dumps(${literal(asked(s))}).encode(),
    {"Content-Type": "application/json"${p.keys ? ', "Authorization": "Bearer " + os.environ["NSFL_KEY"]' : ""}},
)
with urllib.request.urlopen(request) as response:
    for hit in json.load(response)["hits"]:
        print(hit["rank"], round(hit["score"], 3), hit.get("title") or hit["id"])
`;
}

// literal is a value as Python has it.
function literal(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return "[" + value.map(literal).join(", ") + "]";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return "{" + Object.entries(value).filter(([, v]) => v !== undefined).map(([k, v]) => `${JSON.stringify(k)}: ${literal(v)}`).join(", ") + "}";
}

export function go(s: State, p: Place): string {
  return `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
${p.keys ? '\t"os"\n' : ""}	"strings"
)

func main() {
	body := ${JSON.stringify(JSON.stringify(asked(s)))}
	request, err := http.NewRequest("POST", ${JSON.stringify(address(s, p))}, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
${p.keys ? '\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("NSFL_KEY"))\n' : ""}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct {
		Detail string // of what went wrong
		Hits   []struct {
			Rank      int
			Score     float64
			ID, Title string
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatal(answer.Detail)
	}
	for _, hit := range answer.Hits {
		fmt.Printf("%d %.3f %s %s\\n", hit.Rank, hit.Score, hit.ID, hit.Title)
	}
}
`;
}
