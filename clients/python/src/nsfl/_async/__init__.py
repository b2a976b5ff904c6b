"""The client. nsfl._sync is made from this by tools/make_sync.py."""
