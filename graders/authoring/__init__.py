"""From what an author wrote to what a grader needs; every fault with its file and line."""
