/** The answer with a script. */
import { basePath } from '../../../runtime/values/base-path.ts'
import type { EndpointAnswer } from '../../../runtime/table/endpoint.ts'
import type { HandlerServices } from '../../../runtime/table/services.ts'

/** Sends hits to the service: without `data-api`, a script sends them to its host, where the service may be below a path. */
export function script(content: string, { BASE_URL }: HandlerServices['config']): EndpointAnswer {
  const base = basePath(BASE_URL)
  const body = base === '' ? content : content.replaceAll('"/api/event"', JSON.stringify(`${base}/api/event`))
  return { status: 200, headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'public, max-age=3600' }, body }
}
