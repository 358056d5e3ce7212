'use client';

import { useState } from 'react';
import { Field, fieldAria } from '@/components/ui/field';
import { lateSection } from '@/components/ui/late';
import { NativeSelect } from '@/components/ui/native-select';
import { type OtherSource, ofDatabase, ofSource, type RuleFormValues, type Subpages } from './rule-terms';

const PagePicker = lateSection(() => import('./page-picker').then((module) => module.PagePicker));

const KINDS = [
  { value: 'database', label: 'A database' },
  { value: 'page', label: 'A page' },
  { value: 'workspace', label: 'Everything shared' },
];

const SUBPAGES: { value: Subpages; label: string }[] = [
  { value: 'none', label: 'The page alone' },
  { value: 'children', label: 'The page and its subpages' },
  { value: 'all', label: 'The page and all below' },
];

/** Chooses what a rule watches. The field for a database comes below it; the choice of a page is part of it. */
export function SourceFields({
  values,
  onChange,
  firstDatabase,
  warning,
  pageAsked,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  /** The database to choose when somebody goes to databases and has chosen none before; empty for none. */
  firstDatabase: string;
  /** A sentence that the page is gone; null for nothing. */
  warning: string | null;
  /** Each higher number moves the focus to the choice of the page. */
  pageAsked: number;
}) {
  const { source } = values;
  const [chosen, setChosen] = useState<OtherSource>({ kind: 'page', page: null, subpages: 'all' });
  const [database, setDatabase] = useState(firstDatabase);
  const choose = (kind: string) => {
    if (source?.kind === 'page') setChosen(source);
    if (!source && values.databaseId) setDatabase(values.databaseId);
    if (kind === 'page') onChange(ofSource(chosen, values));
    else
      onChange(kind === 'workspace' ? ofSource({ kind: 'workspace' }, values) : ofDatabase(database, values));
  };
  return (
    <>
      <Field
        id="rule-source"
        label="Watch"
        {...(source?.kind === 'workspace' && {
          hint: 'Every page that is shared with Pagewire, in databases and outside.',
        })}
      >
        <NativeSelect
          id="rule-source"
          {...fieldAria('rule-source', { hint: source?.kind === 'workspace' })}
          value={source?.kind ?? 'database'}
          onValueChange={choose}
          placeholder="Select what to watch"
          options={KINDS}
        />
      </Field>
      {source?.kind === 'page' ? (
        <PageFields
          source={source}
          onChange={(changed) => onChange({ source: changed })}
          warning={warning}
          asked={pageAsked}
        />
      ) : null}
    </>
  );
}

function PageFields({
  source,
  onChange,
  warning,
  asked,
}: {
  source: OtherSource & { kind: 'page' };
  onChange: (source: OtherSource) => void;
  warning: string | null;
  asked: number;
}) {
  return (
    <>
      <PagePicker
        page={source.page}
        onChoose={(page) => onChange({ ...source, page })}
        warning={warning}
        asked={asked}
      />
      <Field id="rule-subpages" label="Subpages">
        <NativeSelect
          id="rule-subpages"
          value={source.subpages}
          onValueChange={(subpages) => onChange({ ...source, subpages: subpages as Subpages })}
          placeholder="Select which pages below it"
          options={SUBPAGES}
        />
      </Field>
    </>
  );
}
