/** The metadata that a 401 refers to: the resource, and how to send a token (RFC 9728). */
import { permissionNames } from '../../runtime/permissions.ts'
import { crossOrigin } from './cross-origin.ts'
import type { Mount } from './http.ts'

export const wellKnown: Mount = (web, app) => {
  for (const [path, resource] of [
    ['', ''],
    ['/mcp', '/mcp'],
  ] as const) {
    web.get(`/.well-known/oauth-protected-resource${path}`, c =>
      c.json(
        {
          resource: `${app.config.BASE_URL}${resource}`,
          resource_name: 'Footfall',
          resource_documentation: `${app.config.BASE_URL}/docs`,
          bearer_methods_supported: ['header'],
          scopes_supported: permissionNames,
        },
        200,
        { ...crossOrigin, 'Cache-Control': 'public, max-age=3600' },
      ),
    )
  }
}
