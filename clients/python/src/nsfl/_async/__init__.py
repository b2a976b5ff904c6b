"""The client. tools/make_sync.py generates nsfl._sync from this."""
