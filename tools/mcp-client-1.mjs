export * from '@modelcontextprotocol/sdk/client/index.js'
export * from '@modelcontextprotocol/sdk/client/streamableHttp.js'
