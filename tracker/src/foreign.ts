/** Shared by scripts in place of other products' scripts: a page, and calls that wait until it is visible. */
import { attempt, whenVisible } from './listen.ts'
import { watchInteractions, type Mark } from './interactions.ts'
import { followNavigation } from './navigation.ts'
import { createPage } from './page.ts'
import type { EventOptions } from './protocol.ts'
import { createSender } from './send.ts'
import type { Settings } from './settings.ts'

export type Page = ReturnType<typeof createPage>

const optedOut = (key: string) => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
export const storedOptOut = (key: string): boolean => ![null, '', 'false'].includes(optedOut(key))

export const optOut = (key: string, isOut: boolean): void =>
  attempt(() => (isOut ? localStorage.setItem(key, 'true') : localStorage.removeItem(key)))

interface Options {
  readonly follows?: boolean
  readonly mark?: Mark
  /** Whether clicks on links are watched. */
  readonly links?: boolean
}

const nothing: Mark = () => undefined

/** @returns a function that runs a step with the page, now or once it is visible */
export const open = (name: string, settings: Settings, { follows = true, mark = nothing, links = true }: Options = {}) => {
  const waiting: Array<(page: Page) => void> = []
  let page: Page | undefined
  whenVisible(() =>
    attempt(() => {
      const opened = createPage(settings, createSender(name, settings))
      page = opened
      if (!settings.manual) opened.view()
      if (follows) followNavigation(settings.hash, settings.plain, { moved: opened.move, restored: () => settings.manual || opened.view() })
      if (links) watchInteractions(settings, mark, (event: string, options: EventOptions) => opened.event(event, options))
      waiting.forEach(step => attempt(() => step(opened)))
    }),
  )
  return (step: (page: Page) => void): void => {
    const opened = page
    if (opened) attempt(() => step(opened))
    else waiting.push(step)
  }
}

/** The tag of this script. One that another script inserted without `currentScript` is found by an attribute. */
export const tagWith = (attribute: string): HTMLScriptElement | undefined => {
  const { currentScript } = document
  const tag = currentScript instanceof HTMLScriptElement ? currentScript : document.querySelector<HTMLScriptElement>(`script[${attribute}]`)
  return tag && tag.hasAttribute(attribute) ? tag : undefined
}
