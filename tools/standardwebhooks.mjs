export * from 'standardwebhooks'
