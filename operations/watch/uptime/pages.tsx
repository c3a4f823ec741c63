import { fill } from '../../../runtime/ui/slot.ts'
import { checkPath } from '../../reports/availability/records.ts'
import { uptime_checks_get } from './operations.ts'

export const pathOfCheck = fill(checkPath, ({ id, page }) => page.pathOf(uptime_checks_get, { id }))
