"""Renders formulas as MathML, which every browser shows.

Reads a JSON list of {"tex": ..., "display": ...} from standard input and writes a list of strings, one for each. A formula that
cannot be rendered ends it, with the formula's text. Needs math-core (tools/requirements.txt).
"""
import json
import sys

import math_core

converter = math_core.LatexToMathML(fancy_error=False)
rendered = []
for formula in json.load(sys.stdin):
    try:
        rendered.append(converter.convert_with_local_state(formula["tex"], displaystyle=formula["display"]))
    except math_core.LatexError as error:
        sys.exit(f"formula {formula['tex']!r}: {error}")
json.dump(rendered, sys.stdout)
