export * from '@modelcontextprotocol/client'
