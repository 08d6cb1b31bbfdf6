from tests.workers.sandbox.test_limits import *  # noqa: F403
