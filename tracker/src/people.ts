import type { createPage } from './page.ts'
import type { Call } from './protocol.ts'
import type { PageSettings } from './settings.ts'

/** Handles the calls about who the visitor is, and returns any other. The answer is kept only as long as the page. */
export const aboutPeople = (settings: PageSettings) => {
  let isRefused = false
  return (call: Call, page: ReturnType<typeof createPage>): Call | undefined => {
    const [what, given, props] = call
    const kind = typeof given
    if (what === 'identify' && /^(str|num)/.test(kind)) {
      if (!isRefused) {
        settings.user = given as never
        page.event(what, { props: props || {} })
      }
    } else if (what === 'consent' && kind === 'boolean') {
      isRefused = !given
      if (isRefused) settings.user = undefined
    } else if (what === 'reset' && !given) settings.user = undefined
    else return call
  }
}
