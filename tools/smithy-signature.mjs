export * from '@smithy/signature-v4'
