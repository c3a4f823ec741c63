export * from 'csv-parse/sync'
