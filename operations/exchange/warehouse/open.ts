/** Opens the warehouse that a sync is configured for. */
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'
import { openTables } from './postgres.ts'
import { openFiles } from './s3.ts'
import { type Opening, type Warehouse, WarehouseError } from './warehouse.ts'

/** @throws WarehouseError */
export async function openWarehouse(row: WarehouseSyncRow, opening: Opening): Promise<Warehouse> {
  const secret = await opening.box.unseal(opening.db, row.secret, row.id)
  if (secret === null) {
    throw new WarehouseError(
      'secret_unreadable',
      'secret_unreadable: the stored secret was encrypted with a different SECRET_KEY. Enter the secret again.',
    )
  }
  return row.destination === 's3' ? openFiles(row, secret, opening) : openTables(row, secret, opening)
}
