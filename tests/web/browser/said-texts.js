// Runs in a page: `saidTexts()` returns everything that the page says, to eyes and to ears, and `openEverything()` what
// it says when menus, lists, tabs and disclosures are opened one after the other.
// What people wrote in the chat is left out, and so are commands to type; names are known to the test.

{
  const WRITTEN = ".chat-text, code, style, script, noscript, symbol";
  const ATTRIBUTES = ["aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "title", "placeholder", "alt"];
  const OPENERS = "button[aria-haspopup], button[aria-expanded=false], summary, [role=tab], [role=combobox]";

  globalThis.saidTexts = () => {
    const said = new Set([document.title]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: element, data } = walker.currentNode;
      if (data.trim() && !element.closest(WRITTEN)) said.add(data.replace(/\s+/g, " ").trim());
    }
    for (const name of ATTRIBUTES) {
      for (const element of document.querySelectorAll(`[${name}]`)) said.add(element.getAttribute(name));
    }
    return [...said];
  };

  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

  globalThis.openEverything = async () => {
    const said = new Set();
    for (const opener of document.querySelectorAll(OPENERS)) {
      if (!opener.isConnected || !opener.checkVisibility()) continue;
      opener.click();
      await frame();
      await frame();
      for (const text of globalThis.saidTexts()) said.add(text);
      if (opener.getAttribute("aria-expanded") === "true") opener.click();
      await frame();
    }
    return [...said];
  };
}

// Playwright calls the last value of a script if it is a function.
undefined;
