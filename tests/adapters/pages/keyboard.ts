/** A page as a user without a mouse operates it. */
import assert from 'node:assert/strict'
import type { Page } from '../../../tools/playwright.mjs'

const maxTabs = 150

/** The focused element, as people read it, and whether the focus is visible. */
const focused = (page: Page): Promise<{ name: string; isSeen: boolean }> =>
  page.evaluate(() => {
    const at = document.activeElement ?? document.body
    const isField = at instanceof HTMLInputElement || at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement
    const label = isField ? at.labels?.[0]?.textContent : ''
    const style = getComputedStyle(at)
    return {
      name: `${label || at.getAttribute('aria-label') || at.textContent || ''}`.replace(/\s+/g, ' ').trim(),
      isSeen: style.outlineStyle !== 'none' || style.boxShadow !== 'none',
    }
  })

/** Tab by tab to what is called so, whose focus has to be seen. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = []
  for (let i = 0; i < maxTabs; i++) {
    const at = await focused(page)
    if (typeof name === 'string' ? at.name === name || at.name.startsWith(`${name} `) : name.test(at.name)) {
      assert.ok(at.isSeen, `the focus is not seen on ${at.name}`)
      return
    }
    seen.push(at.name.slice(0, 60))
    await page.keyboard.press('Tab')
  }
  assert.fail(`no way by keyboard to ${String(name)}, only to ${[...new Set(seen)].join(' · ')}`)
}

export async function press(page: Page, name: string | RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press(key)
}

/** Types into a field, replacing its content; in a list of choices, this chooses. */
export async function fill(page: Page, name: string | RegExp, text: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.type(text)
}

/** The form in the dialog, from its first field on. */
export const dialog = (page: Page) => page.locator('dialog[open] form').waitFor()
