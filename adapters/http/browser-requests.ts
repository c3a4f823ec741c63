/** Recognizes requests of browsers, without loading the pages: `pages/` is loaded with the first request for a page. */
import type { Context } from 'hono'
import { type Env, headerOf } from './web.ts'

/** Whether a browser opens an address. Programs and scripts accept `application/json` or send no such header. */
export function asksForPage(c: Context<Env>): boolean {
  return (
    /^\s*text\/html\b/i.test(headerOf(c, 'accept') ?? '') &&
    headerOf(c, 'authorization') === undefined &&
    !/\.(json|csv)$/.test(new URL(c.req.url).pathname)
  )
}

export const isForm = (c: Context<Env>): boolean => /^application\/x-www-form-urlencoded\b/i.test(headerOf(c, 'content-type') ?? '')
