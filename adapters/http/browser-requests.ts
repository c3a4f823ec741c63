/** Which requests are a browser's, apart from pages themselves, which are loaded when the first one is asked for. */
import type { Context } from 'hono'
import { type Env, headerOf } from './web.ts'

/** A browser that opens an address; programs and scripts say `application/json` or nothing. */
export function asksForPage(c: Context<Env>): boolean {
  return (
    /^\s*text\/html\b/i.test(headerOf(c, 'accept') ?? '') &&
    headerOf(c, 'authorization') === undefined &&
    !/\.(json|csv)$/.test(new URL(c.req.url).pathname)
  )
}

export const isForm = (c: Context<Env>): boolean => /^application\/x-www-form-urlencoded\b/i.test(headerOf(c, 'content-type') ?? '')
