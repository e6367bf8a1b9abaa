/** Schemas of the claims of the data-service catalogue, with all its rules. */

const string = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const oneOf = (...values: string[]) => ({ type: 'string', enum: values });
const ruled = (schema: object, ...rules: object[]) => ({ ...schema, 'x-kubernetes-validations': rules });
const rule = (text: string, message: string) => ({ rule: text, message });
const either = (...parts: string[]) => parts.map((part) => `(${part})`).join(' || ');

const immutable = rule('self == oldSelf', 'service is an immutable field');
const tooSmall = 'a change to a smaller plan size is not supported';
/** A plan of one of the first sizes must not follow one of the others. */
const noFall = (to: string[], from: string[]) => rule(`!(${has('oldSelf', from)} && ${has('self', to)})`, tooSmall);
const has = (value: string, words: string[]) =>
  `(${words.map((word) => `${value}.contains('-${word}')`).join(' || ')})`;

const size3 = [noFall(['nano'], ['small', 'big']), noFall(['small'], ['big'])];
const size4 = [
  noFall(['nano'], ['small', 'medium', 'big']),
  noFall(['small', 'medium'], ['big']),
  noFall(['small'], ['medium']),
];
const noShrink = (form: string) =>
  rule(`!(oldSelf.contains('-${form}-') && self.contains('-single-'))`, `from ${form} to single is not supported`);
const noGrow = (form: string) =>
  rule(`!(oldSelf.contains('-single-') && self.contains('-${form}-'))`, `from single to ${form} is not supported`);
const fixed = (word: string) =>
  rule(`oldSelf.contains('${word}') == self.contains('${word}')`, `a change of ${word} is not supported`);
const frozen = rule('self == oldSelf', 'a change of the plan is not supported');

const compositionRef = { type: 'object', properties: { name: string }, required: ['name'] };

interface Instance {
  readonly service: object;
  readonly plan: object;
  readonly parameters?: object;
  readonly rules?: readonly object[];
  readonly expose?: object;
}

function instance({ service, plan, parameters = {}, rules = [], expose }: Instance): object {
  const properties = {
    compositionRef,
    service: ruled(service, immutable),
    plan,
    acceptsIncomplete: boolean,
    parameters: { type: 'object', properties: parameters },
    ...(expose ? { expose } : {}),
  };
  return claim({ type: 'object', properties, required: ['service', 'plan'] }, rules);
}

function claim(spec: object, rules: readonly object[]): object {
  return { type: 'object', properties: { spec: rules.length > 0 ? ruled(spec, ...rules) : spec } };
}

const quoted = (values: string[]) => `[${values.map((value) => `'${value}'`).join(', ')}]`;
const sizes = (form: string, words: string[], endings: string[] = ['']) =>
  words.flatMap((word) => endings.map((ending) => `postgresql-${form}-${word}${ending}`));
const a8sPlans = ['single', 'replica'].flatMap((form) => sizes(form, ['nano', 'small', 'medium', 'big']));
const endings = ['', '-bionic', '-ssl', '-ssl-bionic'];
const a9sPlans = [
  ...sizes('single', ['nano', 'small', 'big'], endings),
  ...sizes('replica', ['small', 'big'], endings),
];

const byBackend = (field: string, a8s: string[], a9s: string[]) =>
  either(
    `self.${field} in ${quoted(a8s)} && self.compositionRef.name == 'a8s-postgresql'`,
    `self.${field} in ${quoted(a9s)} && self.compositionRef.name == 'a9s-postgresql'`,
  );
const onlyFor = (backend: string, parameter: string) =>
  rule(
    `!has(self.parameters) || !has(self.parameters.${parameter}) || self.compositionRef.name == '${backend}'`,
    `${parameter} is only supported by ${backend}`,
  );

const postgresql = instance({
  service: string,
  plan: ruled(string, ...size4, noShrink('replica'), fixed('ssl'), fixed('bionic')),
  expose: oneOf('Internal', 'LoadBalancer'),
  parameters: {
    dataChecksums: oneOf('enabled', 'disabled'),
    maxConnections: { type: 'number' },
    tempFileLimit: ruled(integer, rule('self == -1 || self > 0', 'must be -1 or more than 0')),
    walWriterDelay: ruled(integer, rule('self > 0', 'must be more than 0')),
    maxLocksPerTransaction: { type: 'integer', minimum: 10 },
    sslCiphers: string,
    clientMinMessages: oneOf('DEBUG1', 'LOG', 'NOTICE', 'WARNING', 'ERROR'),
    rolePrivileges: { type: 'array', items: oneOf('CREATEDB', 'CREATEROLE', 'REPLICATION') },
  },
  rules: [
    rule(
      byBackend(
        'service',
        ['a9s-postgresql13', 'a9s-postgresql14'],
        ['a9s-postgresql13', 'a9s-postgresql15', 'a9s-postgresql17'],
      ),
      'Unsupported service used',
    ),
    rule(byBackend('plan', a8sPlans, a9sPlans), 'Unsupported plan used'),
    rule(
      "!self.plan.contains('bionic') || self.service == 'a9s-postgresql13'",
      'Bionic plans are only supported by a9s-postgresql13',
    ),
    ...['dataChecksums', 'rolePrivileges'].map((name) => onlyFor('a9s-postgresql', name)),
    ...['maxLocksPerTransaction', 'sslCiphers'].map((name) => onlyFor('a8s-postgresql', name)),
  ],
});

const plansOf = (service: string, forms: string[], words: string[], ends: string[]) =>
  oneOf(...forms.flatMap((form) => words.flatMap((word) => ends.map((end) => `${service}-${form}-${word}${end}`))));
const withSsl = ['', '-ssl'];

const mariadb = instance({
  service: oneOf('a9s-mariadb106', 'a9s-mariadb1011'),
  plan: ruled(
    plansOf('mariadb', ['single', 'cluster'], ['nano', 'small', 'big'], withSsl),
    ...size3,
    noShrink('cluster'),
    fixed('ssl'),
  ),
  parameters: { binlogExpireDays: { type: 'integer', minimum: 1 } },
  rules: [
    rule("self.service != 'a9s-mariadb1011' || self.plan.contains('ssl')", 'a9s-mariadb1011 only supports ssl plans'),
  ],
});

const nested = (names: string[], leaf: object): object =>
  names.reduceRight<object>((inner, name) => ({ type: 'object', properties: { [name]: inner } }), leaf);

const mongodb = instance({
  service: oneOf('a9s-mongodb50', 'a9s-mongodb70'),
  plan: ruled(
    plansOf('mongodbsspl', ['single', 'replica'], ['nano', 'small', 'big'], withSsl),
    ...size3,
    noShrink('replica'),
    fixed('ssl'),
  ),
  parameters: {
    setClusterParameter: nested(
      ['changeStreamOptions', 'preAndPostImages', 'expireAfterSeconds'],
      ruled(
        { 'x-kubernetes-int-or-string': true },
        rule("type(self) == string ? self == 'off' : self >= 0", 'must be off or not negative'),
      ),
    ),
  },
});

const messaging = instance({
  service: oneOf('a9s-messaging310', 'a9s-messaging4'),
  plan: ruled(
    plansOf('messaging', ['single', 'cluster'], ['nano', 'small', 'big'], withSsl),
    ...size3,
    noShrink('cluster'),
    fixed('ssl'),
  ),
  parameters: { consumerTimeout: { type: 'integer', minimum: 1_800_000 } },
});

const search = instance({
  service: oneOf('a9s-search2'),
  plan: ruled(
    plansOf('search', ['single', 'cluster'], ['nano', 'small', 'medium', 'big'], ['-ssl']),
    ...size4,
    noShrink('cluster'),
  ),
  parameters: { javaMaxmetaspace: { type: 'integer', minimum: 256, maximum: 1024 } },
});

const logme2 = instance({
  service: oneOf('a9s-logme2'),
  plan: ruled(oneOf('logme-cluster-small-ssl', 'logme-single-small-ssl'), noShrink('cluster'), noGrow('cluster')),
  parameters: {
    ismJobInterval: ruled(integer, rule('self > 0', 'must be more than 0')),
    ismJitter: { type: 'number', minimum: 0 },
    fluentdTcp: { type: 'integer', minimum: 1, maximum: 65_535 },
    groks: { type: 'array', items: { type: 'object', properties: { pattern: string }, required: ['pattern'] } },
  },
});

const prometheus = instance({
  service: oneOf('a9s-prometheus'),
  plan: ruled(oneOf('prometheus-single-small', 'prometheus-single-big'), frozen),
});

const clusterOnly = [
  'replBacklogSize',
  'minReplicasToWrite',
  'minReplicasMaxLag',
  'downAfterMilliseconds',
  'failoverTimeout',
  'hostnameResolution',
];
const amount = '[1-9][0-9]*([kmg]b?)?';
const matching = (pattern: string, message: string) => ruled(string, rule(`self.matches("${pattern}")`, message));

const keyvalue = instance({
  service: oneOf('a9s-keyvalue8'),
  plan: ruled(
    plansOf('keyvalue', ['single', 'replica'], ['nano', 'small', 'medium', 'big'], ['-ssl']),
    ...size4,
    noShrink('replica'),
    noGrow('replica'),
    fixed('ssl'),
  ),
  parameters: {
    snapshot: matching(
      "^\\\\[('save [1-9][0-9]* [1-9][0-9]*'(,'save [1-9][0-9]* [1-9][0-9]*')*)?\\\\]$",
      'must be a list of save N M',
    ),
    replBacklogSize: matching(`^${amount}$`, 'must be a size'),
    minReplicasToWrite: { type: 'integer', minimum: 0 },
    minReplicasMaxLag: ruled(integer, rule('self > 0', 'must be more than 0')),
    maxmemory: ruled(
      string,
      rule(`self == 'dynamic' || self == '0' || self.matches('^${amount}$')`, 'must be dynamic, 0 or a size'),
    ),
    downAfterMilliseconds: { type: 'integer', minimum: 0 },
    failoverTimeout: { type: 'integer', minimum: 0 },
    hostnameResolution: oneOf('disabled', 'resolve-only', 'enabled'),
    notifyKeyspaceEvents: ruled(
      string,
      rule("self == '' || (self.matches('^[KEg$lshzxeA]*$') && self.matches('[KE]'))", 'must have a K or an E'),
    ),
  },
  rules: clusterOnly.map((name) =>
    rule(
      `!has(self.parameters) || !has(self.parameters.${name}) || self.plan.contains('-replica-')`,
      `${name} is only supported by replica plans`,
    ),
  ),
});

const services = oneOf('keyvalue', 'postgresql', 'mongodb', 'search', 'logme2', 'prometheus', 'messaging', 'mariadb');
const onlyPostgresql = (composition: string) =>
  rule(
    `(self.compositionRef.name != '' && self.compositionRef.name != '${composition}') || self.serviceInstanceType == 'postgresql'`,
    `${composition} only supports postgresql`,
  );
const reference = (composition: string, required: string[], ...rules: object[]) =>
  claim(
    {
      type: 'object',
      properties: { compositionRef, serviceInstanceType: services, instanceRef: string, backupRef: string },
      required,
    },
    [onlyPostgresql(composition), ...rules],
  );

/** By kind. */
export const catalogue: Readonly<Record<string, object>> = {
  PostgresqlInstance: postgresql,
  MariadbInstance: mariadb,
  MongodbInstance: mongodb,
  MessagingInstance: messaging,
  SearchInstance: search,
  Logme2Instance: logme2,
  PrometheusInstance: prometheus,
  KeyvalueInstance: keyvalue,
  ServiceBinding: reference('a8s-servicebinding', ['instanceRef', 'serviceInstanceType']),
  Backup: reference('a8s-backup', ['instanceRef', 'serviceInstanceType']),
  Restore: reference(
    'a8s-restore',
    ['backupRef', 'serviceInstanceType'],
    rule("self.compositionRef.name != 'a8s-restore' || self.instanceRef != ''", 'a8s-restore needs an instanceRef'),
  ),
};
