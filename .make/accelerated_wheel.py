"""A hook of hatchling: adds the accelerated build to the wheel if there is one of this source."""

import json
import pathlib
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class AcceleratedWheel(BuildHookInterface[Any]):
    """The build hook."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files of the build, and name the Python that they are for."""
        folder = pathlib.Path(self.root) / "server" / "accelerated"
        if version == "editable" or not (folder / "build.json").exists():
            return
        acceleration: dict[str, Any] = {"__file__": f"{self.root}/server/acceleration.py", "__name__": "acceleration"}
        exec(pathlib.Path(acceleration["__file__"]).read_text("utf-8"), acceleration)  # noqa: S102 (our own module)
        manifest = json.loads((folder / "build.json").read_bytes())
        if manifest["python"] != acceleration["python"]() or manifest["digest"] != acceleration["digest"](
            manifest["sources"]
        ):
            self.app.display_warning("server/accelerated is not of this source: the wheel is built without it")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"].append("/server/accelerated")
