from __future__ import annotations

from tests.workers.sandbox.test_endings import *  # noqa: F403

# The server, which lives on, holds a group and descriptors: test_pool says what is left when it ends.
del test_it_leaves_nothing_behind  # noqa: F821
del test_a_jail_that_can_not_be_built_says_why_and_leaves_nothing  # noqa: F821
