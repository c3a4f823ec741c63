/** The error of a database that a move has paused, or moved away (`storage/move`): both engines raise it in triggers. */

/** SQLSTATE on Postgres, of a class that the server does not use. */
export const MOVED_CODE = 'FF001'
export const MOVED_MESSAGE = 'the database is being moved, or was moved'
