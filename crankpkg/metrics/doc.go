// Package metrics measures predicted labels against true ones, and tells whether a
// difference is more than chance.
//
//	Evaluate, Evaluator, Scores     Hamming accuracy, subset accuracy, F1 in three averages
//	Measure                         the name of one of them
//	EvaluateRanking, Ranking, AUC   how scores rank labels: ranking loss, coverage, average precision, one-error
//	NewReport, Report               all of these, Jaccard, and each label by itself; to show and to save
//	Bootstrap, McNemar              paired tests of two predictors on one test set; package
//	                                significance has those over seeds, splits and sets
//	Difference                      what such a test says: how large, how certain, how surprising
//
// Labels are M x n zeros and ones, row after row; nothing here knows of models.
// crankpkg.Evaluate predicts and measures at once, and so does Model.Report.
package metrics
