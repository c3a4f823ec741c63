/** Lists all routes that do not belong to operations. */
import { health } from './http/health.ts'
import type { Mount } from './http/web.ts'
import { metrics } from './http/metrics.ts'
import { mcp } from './mcp/mcp.ts'
import { docs } from './openapi/docs.ts'
import { openapi } from './openapi/openapi.ts'
import { pageAssets } from './pages/assets.ts'

/** Health and metrics: served by every process, whatever its role. */
export const machineMounts: readonly Mount[] = [health, metrics]
export const mounts: readonly Mount[] = [...machineMounts, openapi, docs, pageAssets, mcp]
