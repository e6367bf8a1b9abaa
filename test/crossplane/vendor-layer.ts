import type { SourceFile } from '@klutch/catalog';

/** What an operator writes to offer the API of a vendor: nothing of it is known to the code of the catalogue. */
export const vendorLayer: readonly SourceFile[] = [
  {
    path: 'backends/aws.yaml',
    text: `
backend: aws
displayName: Amazon Web Services
description: The API of a vendor, through a provider of Crossplane.
through: resource
`,
  },
  {
    path: 'services/aws-s3.yaml',
    text: `
service: aws-s3
kind: S3Bucket
displayName: S3
description: Buckets for objects.
defaultBackend: aws
fields:
  serviceVersion:
    schema: { type: string, enum: [v1] }
    required: true
    aws: ignored
  region:
    schema: { type: string, enum: [eu-central-1, us-east-1] }
    required: true
    aws: spec.forProvider.region
backends:
  aws:
    base:
      apiVersion: s3.aws.upbound.io/v1beta1
      kind: Bucket
      spec:
        providerConfigRef: { name: aws }
    parametersAt: spec.forProvider
    status:
      arn: status.atProvider.arn
`,
  },
];
