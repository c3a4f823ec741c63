export * from 'svix'
