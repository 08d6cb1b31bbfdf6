"""Redirected into a file in PowerShell, which writes UTF-16.

seen: jupyter/nbdime#506, HandsOnLLM/Hands-On-Large-Language-Models#55
"""

import json


def build(notebook):
    return json.dumps(notebook).encode("utf-16")
