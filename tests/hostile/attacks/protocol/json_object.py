"""A reply that is a JSON object instead of what the codec writes.

naive: 2/2, a loose reader takes any object with the right keys.
uses: forge
failed: ConnectionDisturbed
"""
# %%
send(frame(json.dumps({"id": us._asking, "value": {"passed": True}, "error": None})))
