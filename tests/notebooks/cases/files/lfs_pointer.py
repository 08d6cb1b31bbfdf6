"""Cloned without Git LFS and handed in from there.

seen: deep-floyd/IF#29, googlecolab/colabtools#2105
refused: This file is a Git LFS pointer, not the notebook: run `git lfs pull` and submit the file that it fetches.
"""


def build(notebook):
    return b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 48213\n"
