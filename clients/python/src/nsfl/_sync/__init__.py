"""The client. Made by tools/make_sync.py; do not edit."""
