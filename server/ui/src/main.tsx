import { render } from "preact";
import { App } from "./app";
import { restoreTheme } from "./theme";

restoreTheme();
const page = document.getElementById("page")!;
page.replaceChildren();
render(<App />, page);
