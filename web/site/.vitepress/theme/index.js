// The default theme in the colors of the playground and of `kindsmith gen docs`.

import theme from "vitepress/theme-without-fonts";
import "./style.css";

export default theme;
