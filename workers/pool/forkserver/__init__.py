"""Runs inside an outer jail, by the lab's interpreter: imports what a lab declares, then forks one jail per request.

Nothing here may import anything of ours but itself: it is shown to jails as a package of its own.
"""
