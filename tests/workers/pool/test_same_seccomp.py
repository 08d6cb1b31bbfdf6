from tests.workers.sandbox.test_seccomp import *  # noqa: F403
