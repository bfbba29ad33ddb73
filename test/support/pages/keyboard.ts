import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** More stops than any page of ours has. */
const MAX_TABS = 120;

export type Reachable = "link" | "button" | "textbox" | "radio" | "combobox";

/** Somebody who has no mouse: everything is reached by the Tab key, from where the focus is. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Goes to a link or a button and presses it. */
  async press(role: "link" | "button", name: string): Promise<void> {
    await this.reach(this.#page.getByRole(role, { name, exact: true }), name);
    await this.#page.keyboard.press("Enter");
  }

  /** Goes to a field and writes. */
  async write(name: string, text: string): Promise<void> {
    await this.reach(this.#page.getByRole("textbox", { name, exact: true }), name);
    await this.#page.keyboard.press("Control+a");
    await this.#page.keyboard.type(text);
  }

  /** Chooses one of a group of radio buttons: Tab leads to the chosen one, the arrows on from there. */
  async choose(name: string): Promise<void> {
    const wanted = this.#page.getByRole("radio", { name, exact: true });
    const group = this.#page.getByRole("group").filter({ has: wanted }).last();
    await this.reach(group.getByRole("radio", { checked: true }), name);
    const choices = await group.getByRole("radio").count();
    for (let arrows = 0; arrows < choices && !(await wanted.isChecked()); arrows++) {
      await this.#page.keyboard.press("ArrowDown");
    }
    expect(await wanted.isChecked(), name).toBe(true);
  }

  /** Ticks a box that isn't ticked. */
  async tick(name: string): Promise<void> {
    const box = this.#page.getByRole("checkbox", { name, exact: true });
    await this.reach(box, name);
    expect(await box.isChecked(), name).toBe(false);
    await this.#page.keyboard.press("Space");
  }

  /** Chooses from a list by what its entry begins with. */
  async select(name: string, entry: string): Promise<void> {
    await this.reach(this.#page.getByRole("combobox", { name, exact: true }), name);
    await this.#page.keyboard.type(entry);
  }

  /** Chooses a file in the browser's own window, which the Enter key opens. */
  async chooseFile(name: string, path: string): Promise<void> {
    const chooser = this.#page.waitForEvent("filechooser");
    await this.reach(this.#page.getByLabel(name, { exact: true }), name);
    await this.#page.keyboard.press("Enter");
    await (await chooser).setFiles(path);
  }

  /** Goes on by the Tab key until an element has the focus. */
  async reach(element: Locator, name: string): Promise<void> {
    await element.first().waitFor();
    const focused = element.and(this.#page.locator(":focus"));
    for (let tabs = 0; tabs < MAX_TABS && (await focused.count()) === 0; tabs++) {
      await this.#page.keyboard.press("Tab");
    }
    expect(await focused.count(), name).toBe(1);
  }
}
