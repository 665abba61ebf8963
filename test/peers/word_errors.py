"""Reads pairs of texts as JSON from standard input and writes, for each, the errors that jiwer counts in words."""

import json
import sys

import jiwer

pairs = json.load(sys.stdin)
counts = []
for said, heard in pairs:
    result = jiwer.process_words(said, heard)
    counts.append(
        {
            "substitutions": result.substitutions,
            "deletions": result.deletions,
            "insertions": result.insertions,
            "rate": result.wer,
        }
    )
json.dump(counts, sys.stdout)
