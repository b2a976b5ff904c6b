"""What all answers of the server have in common."""

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator


class Model(BaseModel):
    """An answer, or a part of one. What a newer server adds to it is passed over."""

    model_config = ConfigDict(extra="ignore", protected_namespaces=())

    @model_validator(mode="before")
    @classmethod
    def _leave_out_null(cls, data: Any) -> Any:
        # The server writes null for a list that is empty.
        if isinstance(data, dict):
            return {name: value for name, value in data.items() if value is not None}
        return data
