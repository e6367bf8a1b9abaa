import { Array as List, Object as Fields, String as Text, Unsafe } from 'typebox';
import { permissionClaims as claimsOfTemplates } from '../kinds/permission-claim.ts';
import { type BindingProvider, bindingProviderSchema } from '../payloads/binding-provider.ts';
import { type BindingResponse, bindingResponseSchema } from '../payloads/binding-response.ts';
import { type APIServiceExportRequestResponse, exportRequestResponse } from '../payloads/export-request-response.ts';
import type { Infer } from '../schema/schema.ts';
import { clusterId, text } from './fields.ts';

// Payloads that Go components or CRDs know are described there; here they become parts of the contract.

export const bindingProvider = Unsafe<BindingProvider>({ ...bindingProviderSchema.json });

export const bindingResponse = Unsafe<BindingResponse>({ ...bindingResponseSchema.json });

export const permissionClaims = Unsafe<Infer<typeof claimsOfTemplates>>({ ...claimsOfTemplates.json });

export const enrolmentGrant = Fields(
  {
    session: Text({ description: 'As the login began with; empty without a browser.' }),
    clusterID: clusterId,
    token: text('Good for nothing but to be exchanged for a credential, by one app cluster. A secret.'),
    expiresAt: Text({ description: 'When the token ends, in RFC 3339.' }),
    requests: List(Unsafe<APIServiceExportRequestResponse>({ ...exportRequestResponse.json }), {
      description: 'What was chosen; the backend asks for it when the token is exchanged.',
      minItems: 1,
    }),
  },
  { description: 'What a login for a bundle yields, in place of a credential.' },
);
