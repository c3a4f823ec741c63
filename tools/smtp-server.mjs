export * from 'smtp-server'
