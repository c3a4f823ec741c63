export * from '@duckdb/node-api'
