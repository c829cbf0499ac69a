// Watches the remarks under the lines: window.edits gets, for each edit after which a remark
// names its word, when the last key was pressed and when the remark was shown.
(() => {
  const editor = document.querySelector("code-editor");
  window.edits = [];
  let typed = 0;
  document.addEventListener("keydown", () => (typed = performance.now()), { capture: true });
  let word = "";
  window.expectRemark = (next) => (word = next);
  new MutationObserver(() => {
    const remark = editor.shadowRoot.querySelector(".cm-remark");
    if (!word || !remark?.textContent.endsWith(" " + word)) return;
    const at = typed;
    const what = word;
    word = "";
    requestAnimationFrame(() => setTimeout(() => window.edits.push({ Word: what, Took: performance.now() - at })));
  }).observe(editor.shadowRoot, { subtree: true, childList: true, characterData: true });
  return true;
})()
