/** Opens the warehouse that a sync is configured for. */
import { m } from './messages.ts'
import { valueTerm } from '../../../runtime/texts/message.ts'
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'
import { openTables } from './postgres.ts'
import { openFiles } from './s3.ts'
import { type Opening, type Warehouse, WarehouseError } from './warehouse.ts'

/** @throws WarehouseError */
export async function openWarehouse(row: WarehouseSyncRow, opening: Opening): Promise<Warehouse> {
  const secret = await opening.box.unseal(opening.db, row.secret, row.id)
  if (secret === null) {
    throw new WarehouseError('secret_unreadable', m.secret_unreadable({ code: valueTerm('secret_unreadable') }))
  }
  return row.destination === 's3' ? openFiles(row, secret, opening) : openTables(row, secret, opening)
}
