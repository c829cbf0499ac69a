import "./index.ts";
