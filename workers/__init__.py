"""What runs the untrusted: Celery tasks, jails, and the commands that use them."""
