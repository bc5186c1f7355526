package crankpkg

// EncodeRecord returns the row of features of a raw record, values by the names of their
// columns as the file had them that the model was trained on: numbers of any type, texts,
// true and false, and nil for a missing cell. It is the row that the reader of that file
// makes of the same cells. A model without a Coding takes its features by name.
//
// An error wraps ErrData and names the column: it is unknown, or missing with nothing to
// fill it in, its text is no number or not among its values, unless Coding.IgnoreUnseen lets
// that pass, or its number is not finite. PredictRow, MarginsRow and the fast forms take the row.
func (p *Predictor) EncodeRecord(record map[string]any) (Row, error) {
	return p.encoder().Record(record)
}

// EncodeCells is EncodeRecord for the cells of a line, one for each column in the order of
// Model.Coding, or of the features where it has no columns.
func (p *Predictor) EncodeCells(cells []string) (Row, error) { return p.encoder().Cells(cells) }

// PredictRecord returns the names of the labels predicted for a raw record. Its errors are
// those of EncodeRecord and PredictRow.
func (p *Predictor) PredictRecord(record map[string]any) ([]string, error) {
	x, err := p.EncodeRecord(record)
	if err != nil {
		return nil, err
	}
	y, err := p.PredictRow(x)
	return p.namesOf(y), err
}

// MarginsRecord returns the margins of all labels for a raw record, in their order. Its
// errors are those of EncodeRecord and MarginsRow.
func (p *Predictor) MarginsRecord(record map[string]any) ([]float64, error) {
	x, err := p.EncodeRecord(record)
	if err != nil {
		return nil, err
	}
	return p.MarginsRow(x)
}
