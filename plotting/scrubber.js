for (const root of document.querySelectorAll(".CLASS:not(.live)")) {
  const image = root.querySelector("img"), positions = root.querySelectorAll(".positions label");
  const control = document.createElement("div"), range = document.createElement("input");
  const readout = document.createElement("output"), count = document.createElement("small");
  const show = () => {
    const at = positions[range.value];
    image.src = getComputedStyle(root).getPropertyValue("--picture-" + range.value).trim().slice(5, -2); // within url("")
    image.alt = at.firstElementChild.getAttribute("aria-label");
    range.setAttribute("aria-valuetext", at.title);
    readout.textContent = at.title;
    count.textContent = `${+range.value + 1} of ${positions.length}`;
  };
  range.type = "range";
  range.min = 0;
  range.max = positions.length - 1;
  range.value = root.dataset.start;
  range.setAttribute("aria-label", "position");
  range.addEventListener("input", show);
  // The notebook has keys of its own, and JupyterLab takes them before anybody else. Those that move the range are the range's.
  const moves = (event) => /^(Arrow|Home|End|Page)/.test(event.key) && !(event.ctrlKey || event.metaKey || event.altKey);
  const claim = (event) => root.toggleAttribute("data-lm-suppress-shortcuts", moves(event));
  range.addEventListener("focus", () => window.addEventListener("keydown", claim, true));
  range.addEventListener("blur", () => window.removeEventListener("keydown", claim, true));
  range.addEventListener("keydown", (event) => { if (moves(event)) event.stopPropagation(); });
  image.addEventListener("click", () => range.focus());
  control.className = "control";
  control.append(range, readout, count);
  root.append(control);
  root.classList.add("live");
  show();
}
