"""The trusted side of a lab: holds the tests and runs them against proxies of a student's objects.

Nothing of the student's runs here. Every value that arrives is plain data, read by `graders.wire`; what is none
stays on the student's side and is asked about.
"""
