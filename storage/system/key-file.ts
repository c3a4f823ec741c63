/** The file with the key of an SQLite installation, which is next to the database. */
export const keyFileNextTo = (database: string): string => `${database}.key`
