"""The base of all response models."""

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


class Model(BaseModel):
    """A response, or a part of one. Fields added by newer servers are ignored."""

    model_config = ConfigDict(extra="ignore", protected_namespaces=())

    @model_validator(mode="before")
    @classmethod
    def _leave_out_null(cls, data: Any) -> Any:
        # The server writes null for an empty list.
        if isinstance(data, dict):
            return {name: value for name, value in data.items() if value is not None}
        return data
