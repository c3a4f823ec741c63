/** The name of the task that runs syncs. */
export const syncing = 'warehouse_syncs_run_due'
